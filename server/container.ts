/** What one process shares: Next compiles instrumentation and route handlers apart, so state lives under one global symbol. */
export interface Container {
  readonly startedAtMs: number;
}

const KEY = Symbol.for('tidemark.container');
const shared: typeof globalThis & { [KEY]?: Container } = globalThis;

/** Starts the process's container once; later calls give the same one. */
export function startContainer(): Promise<Container> {
  shared[KEY] ??= { startedAtMs: Date.now() };
  return Promise.resolve(shared[KEY]);
}

/** The started container. Throws before `startContainer`. */
export function getContainer(): Container {
  const container = shared[KEY];
  if (container === undefined) throw new Error('the container is not started');
  return container;
}
