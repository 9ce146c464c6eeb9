import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown';
import { splitMarkdown } from './split-markdown';

const hostile = [
  '<iframe srcdoc="<script>parent.__x=1</script>"></iframe>',
  '<svg/onload=__x=1>',
  '<img src=x onerror=__x=1>',
  '[a](javascript:__x=1)',
  '[b](data:text/html,<script>__x=1</script>)',
  '[c](JaVaScRiPt&colon;__x=1)',
  '<style>*{display:none}</style>',
  '```html\n<script>__x=1</script>\n```',
  '<a href="https://ok.test" style="position:fixed;inset:0">z</a>',
];

describe('a text of a model', () => {
  it.each(hostile)('case-E02: %s makes no element and runs nothing', (text) => {
    const { container } = render(<Markdown text={text} />);
    expect(container.querySelector('iframe,svg:not(.lucide),img,script,style,a[style]')).toBeNull();
    for (const link of container.querySelectorAll('a')) {
      expect(link.getAttribute('href') ?? '').toMatch(/^(https?:|mailto:)/);
    }
    expect(Reflect.get(globalThis, '__x')).toBeUndefined();
  });

  it('case-E02: HTML is shown as the text it is', () => {
    const { container } = render(<Markdown text={'before <b onclick="x">bold</b> after'} />);
    expect(container).toHaveTextContent('before <b onclick="x">bold</b> after');
  });

  it('reliability 6.8: an image is named by its host and never loaded', () => {
    const { container } = render(<Markdown text="![a chart](https://tracker.test/p.png?who=me)" />);
    expect(container.querySelector('img')).toBeNull();
    expect(container).toHaveTextContent('a chart from tracker.test, not loaded');
  });

  it('ux-2.1: headings begin at h4', () => {
    const { container } = render(<Markdown text={'# One\n\n## Two\n\n### Three'} />);
    expect([...container.children].map((element) => element.tagName)).toEqual(['H4', 'H4', 'H5']);
  });

  it('the page policy: no style attribute, for aligned tables either', () => {
    const { container } = render(<Markdown text={'| a | b |\n|--:|:-:|\n| 1 | 2 |'} />);
    expect(container.querySelector('[style]')).toBeNull();
    expect(container.querySelector('td')).toHaveAttribute('data-align', 'right');
  });

  it('case-E03: a fence that is still open is plain code, and what is before it stays', () => {
    const { container } = render(<Markdown text={'Look:\n\n```py\nprint(1)'} live />);
    expect(container.querySelector('p')).toHaveTextContent('Look:');
    expect(container.querySelector('pre')).toHaveTextContent('print(1)');
    expect(container.querySelector('.code-block')).toHaveAttribute('data-open');
  });

  it('case-E03: a longer fence holds a shorter one', () => {
    const { container } = render(<Markdown text={'````markdown\n# T\n```js\nx\n```\nend\n````'} />);
    expect(container.querySelectorAll('pre')).toHaveLength(1);
    expect(container.querySelector('code')?.textContent).toBe('# T\n```js\nx\n```\nend');
  });

  it('case-E03: blank lines inside a longer fence part nothing, and what follows it is text again', () => {
    const { container } = render(<Markdown text={'````markdown\n```js\n\nx\n````\n\nafter'} />);
    expect(container.querySelectorAll('pre')).toHaveLength(1);
    expect(container.querySelector('code')?.textContent).toBe('```js\n\nx');
    expect(container.querySelector('p')).toHaveTextContent('after');
  });

  it('case-E03: back-ticks in mid-line open nothing', () => {
    const { container } = render(<Markdown text={'text ``` not a fence\n\nnext'} />);
    expect(container.querySelector('pre')).toBeNull();
    expect(container).toHaveTextContent('next');
  });
});

describe('cutting a text into blocks', () => {
  const texts = [
    'one\n\ntwo\n\n- a\n- b\n\n- c\n\n  more of c\n\nafter',
    '```js\n\nx\n\n```\n\nend',
    '```markdown\n# T\n```js\nx\n```\nend\n```',
    '1. a\n\n   ```sh\n   ls\n   ```\n\n2. b',
    '\n\n leading',
  ];
  it.each(texts)('joined again the blocks are the text: %j', (text) => {
    expect(
      splitMarkdown(text)
        .map((block) => block.text)
        .join('\n'),
    ).toBe(text);
  });

  it('a finished block stays the same while the text grows, at every character', () => {
    for (const text of texts) {
      for (let end = 1; end < text.length; end += 1) {
        const now = splitMarkdown(text.slice(0, end)).map((block) => block.text);
        const later = splitMarkdown(text.slice(0, end + 1)).map((block) => block.text);
        expect(later.slice(0, now.length - 1)).toEqual(now.slice(0, -1));
      }
    }
  });

  it('a loose list is one block, so its numbers go on', () => {
    expect(splitMarkdown('1. a\n\n2. b\n\n3. c')).toHaveLength(1);
  });

  it('a link defined at the end serves the blocks before it', () => {
    const { container } = render(<Markdown text={'See [the book][1].\n\nMore.\n\n[1]: https://book.test'} />);
    expect(container.querySelector('a')).toHaveAttribute('href', 'https://book.test');
  });
});
