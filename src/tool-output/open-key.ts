/** What the keys of known issuers begin with; `ISSUED_KEY` of credential-text says how they go on. */
const PREFIXES = `sk- sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_ ghp_ gho_ ghu_ ghs_ ghr_
  github_pat_ glpat- AKIA ASIA AIza ya29. SG. xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- npm_ pypi-AgE
  hf_ dop_v1_`.split(/\s+/);

/** `s`, `sk`, `sk-`, `sk-a`: everything that the prefix may have become so far. */
function begun(prefix: string): string {
  return [...prefix]
    .map((letter) => letter.replace('.', String.raw`\.`))
    .toReversed()
    .reduce((rest, letter) => `${letter}(?:${rest})?`, String.raw`[\w.-]*`);
}

const OPEN_KEY = new RegExp(`(?<!\\w)(?:${PREFIXES.map(begun).join('|')})$`);

/** Where at the end of `text` the key of an issuer may have begun; -1 when none has. */
export function openKeyStart(text: string): number {
  return text.search(OPEN_KEY);
}
