import { CLOSED, isPassedOver, type judgeHealth, stepBreaker } from '@/server/model/breaker';
import { createSdkModel } from '@/server/model/sdk-model';
import type { Drivers } from './drivers';
import { createModelLearning } from './model-learning';
import { createModelRegistry } from './model-registry';
import { createSecretBox } from './secret-box';
import { createSettings } from './settings';

/** Settings, providers and the way to their models; and how each provider has fared lately (G4). */
export function createModels(drivers: Drivers) {
  const { clock } = drivers;
  const settings = createSettings(drivers.settings, () => []);
  const health = new Map<string, typeof CLOSED>();
  const isPaused = (id: string) =>
    isPassedOver(health.get(id) ?? CLOSED, { nowMs: clock.now(), chosenByPerson: false });
  const onAnswered = (provider: string, said: ReturnType<typeof judgeHealth>) => {
    if (said === null) return;
    const seen = { ok: said === 'well', nowMs: clock.now() };
    health.set(provider, stepBreaker(health.get(provider) ?? CLOSED, seen));
  };
  const registry = createModelRegistry({
    store: drivers.providers,
    box: createSecretBox(drivers.secret),
    env: drivers.env,
    fromEnv: drivers.envProviders,
    isPaused,
    settings: settings.current,
  });
  const learning = createModelLearning(drivers.facts);
  const model = createSdkModel({
    connection: registry.connection,
    memory: learning,
    fetch: drivers.fetch,
    embeddedFetch: drivers.embeddedFetch,
    startTimer: drivers.startTimer,
    nowMs: clock.now,
    stallMs: () => settings.current().turns.stall_seconds * 1000,
  });
  return { settings, registry, learning, model, isPaused, onAnswered };
}
