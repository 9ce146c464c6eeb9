import { describe, expect, it } from 'vitest';
import { findBodyProblem } from './forbidden-keys';

describe('keys and depth of a JSON body', () => {
  it('passes plain JSON', () => {
    expect(findBodyProblem(JSON.parse('{"a":[1,{"b":null}],"proto":1}'), 64)).toBeNull();
    expect(findBodyProblem('text', 64)).toBeNull();
  });

  it.each(['__proto__', 'constructor', 'prototype'])('rel-X20: refuses %s at any depth', (key) => {
    const body = JSON.parse(`{"a":[{"b":{"${key}":{"polluted":true}}}]}`);
    expect(findBodyProblem(body, 64)).toEqual({ why: 'forbidden_key', path: ['a', '0', 'b', key] });
  });

  it('allows 64 levels and refuses 65', () => {
    const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(findBodyProblem(nested(64), 64)).toBeNull();
    expect(findBodyProblem(nested(65), 64)).toMatchObject({ why: 'too_deep' });
  });

  it('rel-S22: a hundred thousand levels do not overflow the stack', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(findBodyProblem(deep, 64)).toMatchObject({ why: 'too_deep' });
  });
});
