'use client';

import { useQuery } from '@tanstack/react-query';
import { healthSchema } from '@/server/contract/operations';
import { callApi } from '../sync/api-client';

/** What this is, which version runs, and under which licences the faces are. */
export function AboutSection() {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => callApi('/health', { schema: healthSchema, signal }),
  });
  return (
    <div className="flex max-w-(--prose) flex-col gap-3">
      <p className="record text-record">
        Tidemark keeps long conversations with agents whole. What a model reads is folded when it grows too long, and
        every fold can be opened.
      </p>
      <p>{health.data ? `Version ${health.data.version}.` : null} MIT licence.</p>
      <p className="text-ink-2">
        The faces are Atkinson Hyperlegible Next and Mono, and Newsreader, each under the SIL Open Font License. The
        icons are Lucide, under the ISC licence.
      </p>
      <p>
        <a href="/v1/openapi.json" className="text-accent hover:underline">
          The API's description
        </a>
      </p>
    </div>
  );
}
