// Preloaded into a server: how long its event loop is held, asked for on 127.0.0.1:$WATCH_LOOP_PORT. Milliseconds since last asked.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
createServer((_, response) => {
  const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  response.end(JSON.stringify({ p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), worst: ms(delay.max) }));
  delay.reset();
})
  .listen(Number(process.env.WATCH_LOOP_PORT), '127.0.0.1')
  .unref();
