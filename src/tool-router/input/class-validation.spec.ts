import { describe, expect, it } from '@jest/globals';
import { IsString, Matches } from 'class-validator';
import { validateByClass } from './class-validation.js';

class Input {
  @IsString()
  start_at!: string;

  @Matches(/^a/, { message: 'must begin with a' })
  title!: string;
}

describe('validateByClass', () => {
  it('keeps the name of a field as it is, and begins other messages as sentences', async () => {
    const { issues } = await validateByClass(Input, { start_at: 1, title: 'b' });
    expect(issues.map(({ message }) => message)).toEqual([
      'start_at must be a string.',
      'Must begin with a.',
    ]);
  });
});
