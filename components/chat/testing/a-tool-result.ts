import type { ToolMessage } from '@/server/contract/message';
import { idOf } from '../../sync/fold-stream-arbitraries';

/** What a call gave, in line `n`. */
export function aToolResult(n: number, turnId: string, callId: string): ToolMessage {
  return {
    id: idOf(n),
    seq: n,
    at: '2026-01-02T03:04:05.678Z',
    role: 'tool',
    parts: [{ type: 'tool_result', callId, name: callId, output: `out ${n}`, isError: false, bytes: 5, masked: false }],
    metadata: { number: null, turnId, bytes: 5, callId, why: 'ran', ms: 3, cap: null, viewBytes: 5 },
  };
}
