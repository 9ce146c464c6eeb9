/** Runs once at server boot, before the first request, and never during `next build`. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startContainer } = await import('@/server/container');
  await startContainer();
}
