import type { CreateProvider } from '@/server/contract/provider';

export type ProviderForm = Pick<CreateProvider, 'id' | 'kind' | 'name' | 'baseUrl'>;

/** Providers by the form of their keys; the more special beginning stands first. */
const forms: readonly { readonly begins: string; readonly form: ProviderForm }[] = [
  { begins: 'sk-ant-', form: { id: 'anthropic', kind: 'anthropic', name: 'Anthropic' } },
  {
    begins: 'sk-or-',
    form: { id: 'openrouter', kind: 'openai-compatible', name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
  },
  { begins: 'AIza', form: { id: 'google', kind: 'google', name: 'Google' } },
  {
    begins: 'gsk_',
    form: { id: 'groq', kind: 'openai-compatible', name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1' },
  },
  { begins: 'xai-', form: { id: 'xai', kind: 'openai-compatible', name: 'xAI', baseUrl: 'https://api.x.ai/v1' } },
  { begins: 'sk-', form: { id: 'openai', kind: 'openai', name: 'OpenAI' } },
];

/** The provider a key belongs to, judged by its form alone; null when the form says nothing. The key is sent nowhere for this. */
export function guessProvider(key: string): ProviderForm | null {
  const trimmed = key.trim();
  return forms.find(({ begins }) => trimmed.startsWith(begins))?.form ?? null;
}

/** What can be chosen by hand when the form of a key says nothing. */
export const knownForms: readonly ProviderForm[] = forms.map(({ form }) => form);
