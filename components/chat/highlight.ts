import type { HighlighterCore, LanguageInput, ThemeRegistration } from 'shiki/core';

/** The three kinds of code that are set apart; everything else is plain. */
export type TokenKind = 'keyword' | 'literal' | 'comment' | 'plain';
export type CodeToken = { readonly text: string; readonly kind: TokenKind };

/** Colours stand for kinds here and are never drawn: the page's own classes are, in both themes. */
const kindOfColour: Readonly<Record<string, TokenKind>> = {
  '#000001': 'keyword',
  '#000002': 'literal',
  '#000003': 'comment',
};

const theme: ThemeRegistration = {
  name: 'tidemark',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: [
    { settings: { foreground: '#000000', background: '#ffffff' } },
    { scope: ['keyword', 'storage', 'constant.language'], settings: { foreground: '#000001' } },
    { scope: ['keyword.operator'], settings: { foreground: '#000000' } },
    { scope: ['keyword.operator.expression', 'keyword.operator.new'], settings: { foreground: '#000001' } },
    { scope: ['string', 'constant.numeric', 'variable.parameter'], settings: { foreground: '#000002' } },
    { scope: ['comment', 'punctuation.definition.comment'], settings: { foreground: '#000003' } },
  ],
};

/** Each grammar is its own file, fetched when the first block in that language closes. */
const grammars: Readonly<Record<string, () => LanguageInput>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};

const aliases: Readonly<Record<string, string>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  'c++': 'cpp',
  js: 'javascript',
  mjs: 'javascript',
  jsx: 'tsx',
  ts: 'typescript',
  py: 'python',
  rs: 'rust',
  golang: 'go',
  yml: 'yaml',
  md: 'markdown',
  jsonc: 'json',
  psql: 'sql',
  patch: 'diff',
};

/** The grammar a fence's word means: a language, or a path by its ending; null for words no grammar here answers to. */
export function grammarOf(word: string): string | null {
  const name = word.slice(word.lastIndexOf('.') + 1).toLowerCase();
  const grammar = aliases[name] ?? name;
  return Object.hasOwn(grammars, grammar) ? grammar : null;
}

/** A line may take this long before the rest stays plain; the first one also compiles its grammar. Milliseconds. */
const lineMs = 3_000;

/** Colouring of longer code would hold up typing; it stays plain. UTF-16 units. */
export const longestColoured = 40_000;

export type Highlighter = (code: string, language: string) => Promise<readonly (readonly CodeToken[])[] | null>;

/** Makes the one highlighter of a page; engine and grammars come when the first block asks. Null: leave it plain. */
export function createHighlighter(): Highlighter {
  let core: Promise<HighlighterCore> | null = null;
  const load = async () => {
    const [{ createHighlighterCore }, { createJavaScriptRegexEngine }] = await Promise.all([
      import('shiki/core'),
      import('shiki/engine/javascript'),
    ]);
    return createHighlighterCore({
      themes: [theme],
      langs: [],
      engine: createJavaScriptRegexEngine({ forgiving: true }),
    });
  };
  return async (code, language) => {
    const grammar = grammarOf(language);
    if (grammar === null || code.length > longestColoured) return null;
    core ??= load();
    const highlighter = await core;
    const input = grammars[grammar]?.();
    if (input && !highlighter.getLoadedLanguages().includes(grammar)) await highlighter.loadLanguage(input);
    const lines = highlighter.codeToTokensBase(code, { lang: grammar, theme: 'tidemark', tokenizeTimeLimit: lineMs });
    return lines.map((line) =>
      line.map((token) => ({ text: token.content, kind: kindOfColour[token.color?.toLowerCase() ?? ''] ?? 'plain' })),
    );
  };
}
