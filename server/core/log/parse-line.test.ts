import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { nestsDeeperThan } from './line-nesting';
import { parseLine } from './parse-line';

const id = '01K0000000000000000000000A';
const branch = '01K0000000000000000000000B';
const head = `"id":"${id}","branch":"${branch}","at":"2026-01-02T03:04:05.678Z"`;

/** A line with a checksum that holds, whatever its text says. */
const sign = (text: string) => `${text},"c":"${crc32(text).toString(16).padStart(8, '0')}"}`;
const parse = (line: string) => parseLine(Buffer.from(line), 12);
const damage = (why: string) => ({ kind: 'damage', why });

describe('parseLine', () => {
  it('L6: says why a line is damage', () => {
    const good = sign(`{"v":1,"seq":3,${head},"type":"note","prev":null,"kind":"window","text":"hi"`);
    expect(parse(good).kind).toBe('event');
    expect(parse(good.replace('hi', 'ho'))).toEqual(damage('checksum does not match'));
    expect(parse(`${good.slice(0, -16)}}`)).toEqual(damage('checksum is missing'));
    expect(parse('{"v":2,"seq":1}')).toEqual(damage('checksum is missing'));
    expect(parse('{"v":"1"}')).toEqual(damage('checksum is missing'));
    expect(parse('[1]')).toEqual(damage('not a JSON object'));
    expect(parse('null')).toEqual(damage('not a JSON object'));
    expect(parse('{"id":"u1"')).toEqual(damage('not a JSON object'));
    expect(parseLine(Buffer.from([0x7b, 0xff, 0x7d]), 1)).toEqual(damage('not valid UTF-8'));
  });

  it('L6: the checksum must be in lower case, or another spelling of the same line would pass', () => {
    const upper = sign('{"v":1,"seq":1,"x":"y"').replace(/"c":"(.*)"/, (found) =>
      found.toUpperCase().replace('"C"', '"c"'),
    );
    expect(parse(upper).kind).toBe('damage');
  });

  it('contract-1: keeps, as made by a newer version, what it does not know', () => {
    const unknown = (text: string) => {
      const parsed = parse(sign(text));
      return parsed.kind === 'event' && 'unknown' in parsed.event ? parsed.event : null;
    };
    const newType = unknown(`{"v":1,"seq":3,${head},"type":"mood.changed","prev":2,"mood":"fine"`);
    expect(newType).toMatchObject({ seq: 3, id, branch, type: 'mood.changed', prev: 2, raw: { mood: 'fine' } });
    expect(
      unknown(`{"v":1,"seq":3,${head},"type":"note","prev":2,"kind":"window","text":"hi","colour":1`),
    ).not.toBeNull();
    expect(unknown(`{"v":1,"seq":3,${head},"type":"note","prev":2,"kind":"weather","text":"hi"`)).not.toBeNull();
    expect(unknown(`{"v":2,"seq":3,${head},"type":"note","prev":2,"kind":"window","text":"hi"`)).toMatchObject({
      v: 2,
    });
    expect(unknown(`{"v":1,"seq":3,${head},"type":"session.deleted","prev":2,"by":"me"`)).not.toBeNull();
  });

  it('contract-1: a line of version 0 has no checksum and is lifted; its seq is the line when it has none', () => {
    const parsed = parse(`{${head},"type":"plan.set","items":[]}`);
    expect(parsed).toEqual({
      kind: 'event',
      event: {
        v: 1,
        seq: 12,
        id,
        branch,
        at: '2026-01-02T03:04:05.678Z',
        type: 'plan.set',
        prev: null,
        items: [],
        by: 'model',
      },
    });
    expect(parse(`{"v":0,"seq":4,${head},"type":"session.deleted","by":"me"}`)).toMatchObject({
      event: { v: 1, seq: 4 },
    });
  });

  it('case-C01: a line of another system is kept whole, under its own id', () => {
    expect(parse('{"id":"u1","parent":null,"role":"user","text":"hi"}')).toMatchObject({
      kind: 'event',
      event: { unknown: true, id: 'u1', seq: 12, raw: { text: 'hi' } },
    });
    expect(parse('{}')).toMatchObject({ event: { unknown: true, id: 'line-12', type: 'unknown', branch: '' } });
  });

  it('rel-S22: nesting is bounded before anything parses, braces in strings do not count', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(parse(`{"a":${nested(63)}}`).kind).toBe('event');
    expect(parse(`{"a":${nested(64)}}`)).toEqual(damage('nested deeper than 64'));
    expect(parse(`{"a":${nested(5_000_000)}}`)).toEqual(damage('nested deeper than 64'));
    expect(parse(`{"a":"${'{['.repeat(500)}\\"${'{['.repeat(500)}"}`).kind).toBe('event');
    expect(nestsDeeperThan(Buffer.from(`[${'[],'.repeat(500)}[]]`), 64)).toBe(false);
  });

  it('rel-S22: a line over 64 MiB is damage, not read', () => {
    expect(parseLine(new Uint8Array(64 * 1024 * 1024 + 1), 1)).toEqual(damage('longer than 64 MiB'));
  });
});
