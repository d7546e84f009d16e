import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { ModuleRef } from '@nestjs/core';
import { getMetadataStorage, MinLength, validateSync } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { describe, expect, it, jest } from '@jest/globals';
import { Repository } from 'typeorm';

interface ResolverOptions {
  basedir: string;
  defaultResolver(request: string): string;
}

const require = createRequire(import.meta.url);
const resolve = require('./resolver.cjs') as (request: string, options: ResolverOptions) => string;

class Named {
  @MinLength(2)
  name = '';
}

/** What the resolver does with a file that Jest itself found for an importer in `basedir`. */
function resolved(found: string, basedir = import.meta.dirname): string {
  return resolve('asked-for', { basedir, defaultResolver: () => found });
}

describe('packages gathered for Jest', () => {
  it('exist once, however they are imported', () => {
    const typeorm = require('typeorm') as typeof import('typeorm');
    expect(typeorm.Repository).toBe(Repository);
    // This package requires class-validator and reads what was decorated with the imported one.
    expect(targetConstructorToSchema(Named)).toMatchObject({
      properties: { name: { type: 'string', minLength: 2 } },
    });
    const metadata = getMetadataStorage().getTargetValidationMetadatas(Named, '', false, false);
    expect(metadata).toHaveLength(1);
    expect(validateSync(new Named())).toHaveLength(1);
  });

  it('keep the names of their classes, by which Nest and TypeORM tell them apart', () => {
    expect([ModuleRef.name, Repository.name]).toEqual(['ModuleRef', 'Repository']);
    expect([PATH_METADATA, typeof Injectable]).toEqual(['path', 'function']);
  });

  it('are loaded from their file, other packages from where they are', () => {
    expect(require.resolve('typeorm')).toMatch(/dist\.packages/);
    expect(require.resolve('pg')).toMatch(/node_modules/);
  });

  it('are refused in part', () => {
    const folder = require.resolve('pg').replace(/pg[/\\]lib[/\\].*$/, 'typeorm');
    const part = join(folder, 'util', 'DateUtils.js');
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(() => resolved(part)).toThrow('gathered.mjs');
    expect(said).toHaveBeenCalledTimes(1);
    said.mockRestore();
    // Their own files find each other.
    expect(resolved(part, folder)).toBe(part);
  });
});
