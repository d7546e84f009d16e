// Which packages Jest loads as one file instead of hundreds: those of many modules. All that is imported
// of a package has to be named, since what is loaded beside its file would be there twice.

/**
 * ES modules, one build for each group: what two of its packages share exists once.
 * @type {Record<string, string[]>} specifiers by group.
 */
export const MODULES = {
  nest: [
    '@nestjs/common',
    '@nestjs/common/constants.js',
    '@nestjs/common/enums/route-paramtypes.enum.js',
    '@nestjs/common/internal',
    '@nestjs/core',
    '@nestjs/core/injector/instance-wrapper.js',
    '@nestjs/core/internal',
    '@nestjs/mapped-types',
    '@nestjs/platform-express',
    '@nestjs/swagger',
    '@nestjs/terminus',
    '@nestjs/testing',
    '@nestjs/typeorm',
  ],
  'ag-ui': ['@ag-ui/client'],
  'chrono-node': ['chrono-node'],
  jose: ['jose'],
  libphonenumber: ['libphonenumber-js/min'],
  openai: ['openai'],
  'pinyin-pro': ['pinyin-pro'],
  zod: ['zod', 'zod/v3', 'zod/v4'],
};

/**
 * CommonJS packages, one file for each group.
 * @type {Record<string, string[]>} specifiers by group.
 */
export const COMMON = {
  ajv: ['ajv', 'ajv/dist/2020.js'],
  'prom-client': ['prom-client'],
  'rate-limiter-flexible': ['rate-limiter-flexible'],
  rxjs: ['rxjs', 'rxjs/operators'],
  typeorm: ['typeorm'],
  validator: ['class-validator'],
  yaml: ['yaml'],
};

/**
 * Packages that go into the file of the one that loads them. They hold no state and nobody compares
 * their classes, so that it does not matter when two files have them.
 */
export const INSIDE = ['es-toolkit', 'validator', 'libphonenumber-js', 'tslib'];
