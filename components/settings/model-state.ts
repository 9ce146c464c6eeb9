import { toModelKey } from '@/server/contract/names';
import type { ModelInfo } from '@/server/contract/provider';

export type ListedModel = { readonly provider: string; readonly model: string };

export type ModelState = { readonly text: string; readonly tone: 'ok' | 'warn' | 'quiet'; readonly needsKey: boolean };

/** Under this a window holds little more than the instructions for a summary, so long conversations are written in segments. */
const smallWindowTokens = 16_000;

/** What the list says about a model: whether it can write now, and how. */
export function stateOfModel(info: ModelInfo | undefined): ModelState {
  if (!info) return { text: 'Not connected', tone: 'warn', needsKey: true };
  if (info.state === 'key_missing') return { text: 'Key missing', tone: 'warn', needsKey: true };
  if (info.state === 'paused') return { text: 'Paused after failures', tone: 'warn', needsKey: false };
  const small = info.windowTokens !== null && info.windowTokens < smallWindowTokens;
  if (info.simulated) {
    return { text: small ? 'Not an AI; writes in segments' : 'Ready, not an AI', tone: 'ok', needsKey: false };
  }
  if (small) return { text: 'Small window: writes in segments', tone: 'quiet', needsKey: false };
  return { text: 'Ready', tone: 'ok', needsKey: false };
}

export function findModel(models: readonly ModelInfo[], wanted: ListedModel): ModelInfo | undefined {
  return models.find((info) => toModelKey(info) === toModelKey(wanted));
}

/** A price as the overlay shows it: dollars for a million tokens in and out. */
export function sayPrice(info: ModelInfo): string {
  if (info.simulated) return 'free';
  return info.price ? `${info.price.input.toFixed(2)}, ${info.price.output.toFixed(2)}` : 'price unknown';
}
