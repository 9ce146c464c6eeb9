import { Field, TextArea, TextInput } from '../ui/field';

export type NameFieldsProps = {
  readonly name: string;
  readonly onName: (name: string) => void;
  /** What it is for, under the word and the hint its kind has for that. */
  readonly about: { readonly label: string; readonly hint: string; readonly value: string };
  readonly onAbout: (about: string) => void;
};

/** What every document with versions begins with: its name, and in a line or two what it is for. */
export function NameFields({ name, onName, about, onAbout }: NameFieldsProps) {
  return (
    <>
      <Field label="Name">
        {(control) => (
          <TextInput {...control} maxLength={60} value={name} onChange={(event) => onName(event.target.value)} />
        )}
      </Field>
      <Field label={about.label} hint={about.hint}>
        {(control) => (
          <TextArea {...control} rows={2} value={about.value} onChange={(event) => onAbout(event.target.value)} />
        )}
      </Field>
    </>
  );
}
