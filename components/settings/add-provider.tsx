'use client';

import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { createProviderSchema, type ProviderKind } from '@/server/contract/provider';
import { ChoiceRow } from '../first-run/choice-row';
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
export function AddProvider() {
  const [open, setOpen] = useState(false);
  return (
    <ChoiceRow
      icon={Plus}
      title="Another server"
      text="Anything that speaks one of the four protocols."
      action={open ? null : <Button onClick={() => setOpen(true)}>Set up</Button>}
    >
      {open ? <AddProviderForm onDone={() => setOpen(false)} /> : null}
    </ChoiceRow>
  );
}

function AddProviderForm({ onDone }: { readonly onDone: () => void }) {
  const [kind, setKind] = useState<ProviderKind>('openai-compatible');
  const [id, setId] = useState('');
  const [baseUrl, setBaseUrl] = useState('');
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { connecting, connect } = useConnectProvider();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const parsed = createProviderSchema.safeParse({
      id: id.trim(),
      kind,
      baseUrl: baseUrl.trim() || undefined,
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
      <Field label="Short name" hint="Lower-case letters, digits and dashes; stands before the model's name.">
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
      <Field label="Address" hint={kind === 'openai-compatible' ? undefined : "Empty: the provider's own."}>
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
      <Field label="Key" error={problem ?? (connecting.state === 'refused' ? connecting.text : null)}>
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

const fieldWords: Readonly<Record<string, string>> = { id: 'Short name', baseUrl: 'Address', apiKey: 'Key' };

function sayIssue(issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string {
  const field = fieldWords[String(issue?.path[0] ?? '')];
  return field && issue ? `${field}: ${issue.message}.` : 'Something in this form is not allowed.';
}
