import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { runSearchCall, type SearchAnswer, type SearchCall } from './search-calls';
import { isDamage, makeSearchTables, openSearchTables } from './search-tables';

/** The thread in which full-text search works; messages are carried out in the order they came (`contract.md` 20). */
function serveSearch(port: MessagePort, path: string): void {
  let tables = openSearchTables(path);
  const answer = (call: SearchCall): SearchAnswer => {
    try {
      return { id: call.id, ok: true, value: runSearchCall(tables, call) };
    } catch (error) {
      if (isDamage(error)) {
        // With nothing noted, so the next start reads every log again; what is added from now on is found meanwhile.
        tables.close();
        tables = makeSearchTables(path);
      }
      return { id: call.id, ok: false, why: error instanceof Error ? error.message : String(error) };
    }
  };
  port.on('message', (call: SearchCall) => {
    port.postMessage(answer(call));
    if (call.name === 'close') port.close();
  });
}

const { path } = z.object({ path: z.string() }).parse(workerData);
if (parentPort !== null) serveSearch(parentPort, path);
