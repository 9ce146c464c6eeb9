'use client';

import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { createProviderSchema, type ProviderKind } from '@/server/contract/provider';
import { ChoiceRow } from '../first-run/choice-row';
import { completeAddress, judgeAddress } from '../first-run/read-address';
import type { Connected } from '../first-run/say-test';
import { useConnectProvider } from '../first-run/use-connect-provider';
import { Button } from '../ui/button';
import { Field, Select, TextInput } from '../ui/field';

const kinds: readonly { readonly value: ProviderKind; readonly label: string }[] = [
  { value: 'openai-compatible', label: 'OpenAI-compatible' },
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'google', label: 'Google' },
];

/** Any other server, by its protocol and address. What is not allowed is said at the form and nothing is sent. */
export function AddProvider({ onConnected }: { readonly onConnected?: (connected: Connected) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <ChoiceRow
      icon={Plus}
      title="Another server"
      text="Anything that speaks one of the four protocols."
      action={open ? null : <Button onClick={() => setOpen(true)}>Set up</Button>}
    >
      {open ? <AddProviderForm onConnected={onConnected} onDone={() => setOpen(false)} /> : null}
    </ChoiceRow>
  );
}

type AddProviderFormProps = {
  readonly onConnected?: (connected: Connected) => void;
  readonly onDone: () => void;
};

/** What is wrong stands at its own field. */
type Problem = { readonly field: 'id' | 'baseUrl' | 'apiKey'; readonly text: string };

function AddProviderForm({ onConnected, onDone }: AddProviderFormProps) {
  const [kind, setKind] = useState<ProviderKind>('openai-compatible');
  const [id, setId] = useState('');
  const [baseUrl, setBaseUrl] = useState('');
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const { connecting, connect } = useConnectProvider(onConnected);
  const problemAt = (field: Problem['field']) => (problem?.field === field ? problem.text : null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = judgeAddress(baseUrl);
    if (wrong !== null) return setProblem({ field: 'baseUrl', text: wrong });
    const parsed = createProviderSchema.safeParse({
      id: id.trim(),
      kind,
      baseUrl: completeAddress(baseUrl) || undefined,
      apiKey: key.trim() || undefined,
    });
    setProblem(parsed.success ? null : sayIssue(parsed.error.issues[0]));
    if (parsed.success && (await connect(parsed.data))) onDone();
  };
  const choose = (text: string) => setKind(kinds.find(({ value }) => value === text)?.value ?? 'openai-compatible');
  return (
    <form className="mt-3 flex flex-col gap-3" onSubmit={submit}>
      <Field label="Protocol">
        {(control) => (
          <Select {...control} className="self-start" value={kind} onChange={(event) => choose(event.target.value)}>
            {kinds.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Short name"
        hint="Lower-case letters, digits and dashes; stands before the model's name."
        error={problemAt('id')}
      >
        {(control) => (
          <TextInput
            {...control}
            face="machine"
            placeholder="my-server"
            value={id}
            onChange={(event) => setId(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Address"
        hint={kind === 'openai-compatible' ? undefined : "Empty: the provider's own."}
        error={problemAt('baseUrl')}
      >
        {(control) => (
          <TextInput
            {...control}
            face="machine"
            inputMode="url"
            placeholder="https://example.org/v1"
            value={baseUrl}
            onChange={(event) => setBaseUrl(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Key"
        error={problemAt('apiKey') ?? (problem === null && connecting.state === 'refused' ? connecting.text : null)}
      >
        {(control) => (
          <TextInput
            {...control}
            type="password"
            face="machine"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" disabled={connecting.state === 'testing'}>
          {connecting.state === 'testing' ? 'Testing…' : 'Add and test'}
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** The first thing that is not allowed, in words, at the field it is about. */
function sayIssue(issue: Issue | undefined): Problem {
  if (issue?.path[0] === 'id') return { field: 'id', text: 'Use lower-case letters, digits and dashes.' };
  if (issue?.path[0] === 'baseUrl') return { field: 'baseUrl', text: 'This address is not allowed.' };
  return { field: 'apiKey', text: issue?.path[0] === 'apiKey' ? 'A key is one line.' : 'Something is not allowed.' };
}
