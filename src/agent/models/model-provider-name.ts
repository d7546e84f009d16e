/** Endpoints that are known by their hosts; names as OpenTelemetry's `gen_ai.provider.name` has them. */
const PROVIDERS: readonly [RegExp, string][] = [
  [/(^|\.)openai\.com$/, 'openai'],
  [/(^|\.)deepseek\.com$/, 'deepseek'],
  [/(^|\.)(bigmodel\.cn|z\.ai)$/, 'zhipu'],
  [/(^|\.)aliyuncs\.com$/, 'dashscope'],
  [/(^|\.)ollama\.com$/, 'ollama'],
];

/** Who runs an endpoint. Its host stays untold: clients see the provider, and it may be internal. */
export function providerOf(baseUrl: string): string {
  const { hostname, port } = new URL(baseUrl);
  const known = PROVIDERS.find(([host]) => host.test(hostname));
  return known?.[1] ?? (port === '11434' ? 'ollama' : 'openai_compatible');
}
