import type { ProviderTest } from '@/server/contract/provider';

/** A provider that answered its test: its name, and how many models it named where it has a list. */
export type Connected = { readonly name: string; readonly models: number | null };

const countModels = (models: number) => (models === 1 ? '1 model' : `${models} models`);

/** What a person reads and hears once a provider has answered. */
export function sayConnected({ name, models }: Connected): string {
  return models === null ? `Connected: ${name}.` : `Connected: ${name}, ${countModels(models)}.`;
}

/**
 * Why a test was refused, for the place where the key or the address is typed. The words of a failed reply speak of
 * messages that are kept and of the settings; here there is no message, and the field stands right above.
 */
export function sayRefused(test: ProviderTest, name: string): string {
  if (test.error === null) return `${name} did not answer.`;
  if (test.error.code === 'provider_network' || test.error.code === 'provider_stalled')
    return `${name} did not answer at this address. Check that it runs and that the address is right.`;
  if (test.error.code === 'provider_auth') return `${name} refused the key. Check that it is whole and still valid.`;
  return test.error.message.replace(/ (Your message is kept|What came so far is kept)[^.]*\./, '');
}

/** How a test of a connected provider ended, with its time as words. */
export function sayTested(test: ProviderTest, name: string, took: string): string {
  if (!test.ok) return sayRefused(test, name);
  return test.models === null ? `Answered in ${took}.` : `Answered in ${took}, ${countModels(test.models)}.`;
}
