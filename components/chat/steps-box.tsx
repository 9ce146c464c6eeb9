'use client';

import {
  Blocks,
  Bot,
  ChevronDown,
  ChevronRight,
  CircleX,
  Database,
  FilePenLine,
  FileText,
  FolderOpen,
  History,
  ListChecks,
  Scissors,
  Search,
} from 'lucide-react';
import { memo, useEffect, useId, useState } from 'react';
import { Button } from '../ui/button';
import { formatDuration } from '../ui/format-time';
import type { Step } from './build-turns';
import { useChatScope } from './chat-context';
import { describeCall, describeResult, readTask, type StepIcon, sumUpSteps } from './describe-call';
import { hearReveals } from './jump-request';
import { LongOutput } from './long-output';
import { SubagentBranch } from './subagent-branch';

const icons = {
  read: FileText,
  search: Search,
  list: FolderOpen,
  query: Database,
  edit: FilePenLine,
  plan: ListChecks,
  mask: Scissors,
  recall: History,
  delegate: Bot,
  tool: Blocks,
} as const satisfies Record<StepIcon, unknown>;

/** Arguments on one line while they fit it. UTF-16 units. */
const oneLineArgs = 90;

function formatArgs(args: unknown): string {
  if (typeof args === 'string') return args;
  const line = JSON.stringify(args) ?? '';
  return line.length <= oneLineArgs ? line : JSON.stringify(args, null, 2);
}

function totalMs(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + (step.result?.metadata.ms ?? 0), 0);
}

/** Consecutive calls in one box: "7 steps" with what they did, each one line, each failure already open. */
export const StepsBox = memo(function StepsBox({ steps }: { readonly steps: readonly Step[] }) {
  const failed = steps.some((step) => describeResult(step).failed);
  const waiting = steps.some((step) => step.call.state === 'waiting_approval');
  const live = steps.some((step) => step.live || step.call.state === 'running' || step.call.state === 'announced');
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [revealed, setRevealed] = useState<string | null>(null);
  useEffect(
    () =>
      hearReveals((id) => {
        if (!steps.some((step) => step.result?.id === id)) return;
        setChosen(true);
        setRevealed(id);
      }),
    [steps],
  );
  const open = chosen ?? (failed || waiting || live);
  const listId = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  const ms = totalMs(steps);
  return (
    <div className="steps-box">
      <button
        type="button"
        className="steps-head"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setChosen(!open)}
      >
        <Chevron aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-ink-2" />
        <span className="font-[650]">{steps.length === 1 ? '1 step' : `${steps.length} steps`}</span>
        <span className="min-w-0 flex-1 truncate text-ink-2">{sumUpSteps(steps)}</span>
        {ms > 0 ? <span className="numbers text-ink-2">{formatDuration(ms)}</span> : null}
      </button>
      {open ? (
        <ul id={listId} className="steps-list">
          {steps.map((step) => (
            <StepRow key={step.key} step={step} revealed={revealed !== null && step.result?.id === revealed} />
          ))}
        </ul>
      ) : null}
    </div>
  );
});

type StepRowProps = { readonly step: Step; readonly revealed: boolean };

const StepRow = memo(function StepRow({ step, revealed }: StepRowProps) {
  const words = describeCall(step);
  const result = describeResult(step);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? (revealed || result.failed || step.call.state === 'waiting_approval');
  const bodyId = useId();
  const Icon = result.failed ? CircleX : icons[words.icon];
  const ms = step.result?.metadata.ms;
  return (
    <li data-message-id={step.result?.id}>
      <button
        type="button"
        className="step-row"
        aria-expanded={open}
        aria-controls={bodyId}
        onClick={() => setChosen(!open)}
      >
        <Icon aria-hidden size={14} strokeWidth={1.75} className={result.failed ? 'text-danger' : 'text-ink-2'} />
        <span className="shrink-0">{words.verb}</span>
        <span className="step-object">{words.object}</span>
        <span className={`step-result numbers ${result.failed ? 'text-danger' : ''}`}>{result.text}</span>
        <span className="step-time numbers">{ms ? formatDuration(ms) : ''}</span>
      </button>
      {open ? <StepBody id={bodyId} step={step} /> : null}
    </li>
  );
});

function StepBody({ id, step }: { readonly id: string; readonly step: Step }) {
  const { call, result } = step;
  const part = result?.parts[0];
  const failed = describeResult(step).failed;
  const output = part?.type === 'tool_result' ? part : null;
  return (
    <div id={id} className="step-body">
      {call.state === 'waiting_approval' ? <Approval step={step} /> : null}
      {failed ? null : <LongOutput text={readTask(call) ?? formatArgs(call.args)} clipped={false} itemId={null} />}
      {output ? (
        <LongOutput
          text={output.output}
          clipped={output.clipped ?? false}
          itemId={result?.id ?? null}
          tone={failed ? 'danger' : 'plain'}
        />
      ) : null}
      {output?.masked && output.maskNote ? (
        <p className="text-small text-ink-2">Noted by the agent: {output.maskNote}</p>
      ) : null}
      {call.subagent ? <SubagentBranch sessionId={call.subagent.sessionId} /> : null}
    </div>
  );
}

/** A tool that waits for a yes: what it would do, and the two answers. */
function Approval({ step }: { readonly step: Step }) {
  const { actions } = useChatScope();
  const [problem, setProblem] = useState<string | null>(null);
  const { callId, preview } = step.call;
  const decide = async (decision: 'approve' | 'deny') => {
    const outcome = await actions?.decide(callId, decision);
    setProblem(outcome && !outcome.ok ? outcome.message : null);
  };
  if (actions === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {preview ? <pre className="basis-full overflow-x-auto whitespace-pre-wrap text-mono">{preview}</pre> : null}
      <Button size="small" onClick={() => void decide('approve')}>
        Allow once
      </Button>
      <Button size="small" look="quiet" onClick={() => void decide('deny')}>
        Do not allow
      </Button>
      {problem ? (
        <p role="alert" className="text-small text-danger">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
