// Who may know whom (docs/ARCHITECTURE.md). `npm run check:dependencies` fails on any violation.

const SPEC = '\\.spec\\.ts$|/testing/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two files that need each other cannot be understood, tested or moved alone, and which one ' +
        'Node evaluates first is luck. A type that both need belongs to neither of them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'everything-resolves',
      comment: 'A typo in a path would otherwise hide an import from every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'router-knows-no-module',
      comment: 'The router finds modules by their decorators; one it names is one it treats apart.',
      severity: 'error',
      from: { path: '^src/tool-router/' },
      to: { path: '^src/modules/' },
    },
    {
      name: 'modules-stand-alone',
      comment:
        'A module uses the public side of the router and the ground floor, and asks for the rest ' +
        'through a port: it can be added, removed or moved out without touching another.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: SPEC },
      to: {
        path: '^src/',
        pathNot: [
          '^src/modules/$1/',
          '^src/tool-router/public\\.ts$',
          '^src/tool-output/ui-hints\\.ts$',
          '^src/(common|config|database|object-store)/',
          '^src/auth/(decorators|principal)\\.ts$',
          '^src/audit/audit-(trail|entry)\\.ts$',
        ],
      },
    },
    {
      name: 'tables-have-one-owner',
      comment:
        "Another area's repository or entity bypasses that area's rules (who may see, what is " +
        'valid): its service is asked, through a port where it is a module. Outside the modules an ' +
        'entity may name the entity that its foreign key points to.',
      severity: 'error',
      from: {
        path: '^src/(modules/[^/]+|[^/]+)/',
        pathNot: [SPEC, '^src/(?!modules/).*\\.entity\\.ts$'],
      },
      to: { path: '\\.(repository|entity)\\.ts$', pathNot: '^src/$1/' },
    },
    {
      name: 'commands-are-thin',
      comment: 'A command that queries has rules that its REST twin lacks.',
      severity: 'error',
      from: { path: '\\.commands\\.ts$' },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/|\\.(repository|entity)\\.ts$' },
    },
    {
      name: 'readers-write-nothing',
      comment: 'Sse and History show what the event log and the threads hold, and own no state.',
      severity: 'error',
      from: { path: '^src/(sse|history)/', pathNot: SPEC },
      to: {
        path: [
          'node_modules/(typeorm|@nestjs/typeorm|pg)/',
          '\\.(repository|entity)\\.ts$',
          '^src/database/unit-of-work\\.ts$',
        ],
      },
    },
    {
      name: 'project-cli-needs-only-node',
      comment:
        'The executable is one small file that starts in the order of 40 ms, and nothing of the ' +
        'server may slip into it but pure functions named here. Types vanish when it is bundled.',
      severity: 'error',
      from: { path: '^src/cli(\\.ts$|/)', pathNot: SPEC },
      to: {
        pathNot: [
          '^src/cli/',
          '^src/common/[^/]+\\.ts$',
          '^src/tool-output/(projection|credential-text)\\.ts$',
        ],
        dependencyTypesNot: ['core', 'type-only'],
      },
    },
    {
      name: 'client-stands-alone',
      comment:
        'The client library runs in browsers and is built without the server, and the reverse.',
      severity: 'error',
      from: { path: '^web/client/src/' },
      to: { path: '^(src|migrations|test)/|^node:' },
    },
    {
      name: 'server-knows-no-client',
      comment: 'See above; specs compare the two.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: SPEC },
      to: { path: '^web/' },
    },
    {
      name: 'keeper-needs-only-node',
      comment: 'The process that holds PostgreSQL starts at once and has nothing that can fail.',
      severity: 'error',
      from: { path: '^src/database/embedded/keeper\\.ts$' },
      to: { dependencyTypesNot: ['core', 'type-only'] },
    },
    {
      name: 'ground-floor-knows-no-tenant',
      comment: 'What everything stands on must not depend on what stands on it.',
      severity: 'error',
      from: { path: '^src/(common|config|database|object-store)/', pathNot: SPEC },
      to: { path: '^src/', pathNot: '^src/(common|config|database|object-store)/' },
    },
    {
      name: 'observability-knows-nobody-it-watches',
      comment: 'Areas tell it what happens; it names none of them, so that any of them can go.',
      severity: 'error',
      from: { path: '^src/observability/', pathNot: SPEC },
      to: { path: '^src/', pathNot: '^src/(observability|common|config|database|logging)/' },
    },
    {
      name: 'tracing-is-loaded-on-demand',
      comment: 'A deployment without a collector does not pay for the SDK at every start.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/observability/otlp/', SPEC] },
      to: {
        path: '^src/observability/otlp/|node_modules/@opentelemetry/(?!api/)',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 's3-is-loaded-on-demand',
      comment: 'A deployment without an S3 endpoint does not pay for its client at every start.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/object-store/s3/', SPEC] },
      to: {
        path: '^src/object-store/s3/|node_modules/minio/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-config-imports-process',
      comment:
        'Configuration is read, checked and documented in one place. The linter forbids ' +
        'process.env elsewhere (node/no-process-env); this closes the way through an import.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/config/', '^src/cli(\\.ts$|/)', SPEC] },
      to: { path: '^(node:)?process$', dependencyTypes: ['core'] },
    },
    {
      name: 'product-needs-no-test-code',
      comment: 'An installation without development dependencies must start.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: SPEC },
      to: { path: `^test/|${SPEC}` },
    },
    {
      name: 'product-needs-no-dev-package',
      comment: 'As above: what runs in production is a dependency.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: SPEC },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What scripts load once it is built is what src/ says.
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types count: they tie two areas together just as well.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
