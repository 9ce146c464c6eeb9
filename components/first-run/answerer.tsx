'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { Model } from '@/server/contract/shapes';
import { ModelButton } from '../chat/model-button';

export type AnswererProps = {
  readonly model: Model | null;
  readonly practice: boolean;
  readonly onChoose: (model: Model) => void;
};

/** Who will answer, and the choice of another. The practice model says what it is, here as everywhere (N2). */
export function Answerer({ model, practice, onChoose }: AnswererProps) {
  const [picking, setPicking] = useState(false);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2">
      <ModelButton model={model} open={picking} onOpenChange={setPicking} onChoose={onChoose} />
      {practice || model === null ? (
        <span className="text-small text-ink-2">
          {practice ? 'Practice model, not an AI. ' : null}
          <Link href="/settings/models" className="font-[650] text-accent hover:underline">
            Connect a model
          </Link>
        </span>
      ) : null}
    </div>
  );
}
