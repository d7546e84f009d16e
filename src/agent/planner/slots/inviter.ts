import { Draft } from '../text/draft.js';

const NAME = "([\\p{Script=Han}A-Za-zÀ-ÿ][\\p{Script=Han}A-Za-zÀ-ÿ .'-]{0,40}?)";
/** `what did Bob invite me to`, `Bob 邀请我参加什么`; read by the rules of intents as well. */
export const INVITED_BY = new RegExp(
  [
    `\\b(?:what|which \\w+) (?:did|has|does|is) (?!i\\b|you\\b)${NAME} (?:invit(?:e|ed|ing)) me\\b`,
    `\\binvitations? from ${NAME}(?=[?.!\\s]*$)`,
    `^${NAME}\\s*(?:都)?(?:邀请|约)了?我.{0,6}(?:什么|哪些|啥)`,
    `^${NAME}\\s*(?:给我)?发来?的邀请(?:有哪些|有什么)?[?？\\s]*$`,
  ].join('|'),
  'iu',
);

/** Whose invitations are asked for; null for nobody's. */
export function readInviter(message: string): string | null {
  const draft = new Draft(message);
  const name = INVITED_BY.exec(draft.text)
    ?.slice(1)
    .find((group) => group !== undefined)
    ?.trim();
  return name === undefined || /^(?:我|你|谁|who|anyone|somebody)$/i.test(name)
    ? null
    : draft.restore(name);
}
