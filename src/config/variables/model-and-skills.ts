import { str } from 'envalid';
import { flag, httpUrl, integer, jsonObject, list, listOf, secret } from './kinds.js';
import { defineTheme } from './theme.js';

/** Which model answers, how patiently it is asked, and what it is told. */
export const MODEL_AND_SKILLS = defineTheme({
  title: 'Model and skills',
  variables: {
    MODEL_BASE_URL: httpUrl({
      default: undefined,
      desc: 'OpenAI-compatible endpoint (…/v1). Absent: the offline planner, which needs no key.',
    }),
    MODEL_API_KEY: secret({
      default: undefined,
      desc: 'Key of that endpoint, where it wants one.',
    }),
    MODEL_NAME: str({
      default: undefined,
      desc: 'Model at that endpoint; required with MODEL_BASE_URL.',
    }),
    MODEL_FIRST_BYTE_TIMEOUT_MS: integer(
      100,
      600_000,
    )({
      default: 60_000,
      desc: 'Milliseconds until the first byte of a model’s answer after which a try fails.',
    }),
    MODEL_TIMEOUT_MS: integer(
      100,
      600_000,
    )({
      default: 60_000,
      desc: 'Milliseconds without a byte within a model’s answer after which a try fails.',
    }),
    MODEL_MAX_ATTEMPTS: integer(
      1,
      10,
    )({
      default: 3,
      desc: 'Tries of a model’s turn, the first one included, also after one that broke off in the middle of its answer.',
    }),
    MODEL_RETRY_BASE_MS: integer(
      1,
      60_000,
    )({
      default: 500,
      desc: 'Milliseconds before the second try; each further wait is twice as long, less up to half by chance.',
    }),
    MODEL_RETRY_MAX_MS: integer(
      1,
      300_000,
    )({
      default: 20_000,
      desc: 'Longest wait before a try; an endpoint that asks for a longer one is not tried again.',
    }),
    MODEL_EXTRA_BODY: jsonObject({
      default: undefined,
      desc: 'JSON object of members that the endpoint knows besides OpenAI’s, such as {"enable_thinking":false}.',
    }),
    MODEL_RETURN_REASONING: flag({
      default: false,
      desc: 'Give the model back what it reasoned before its calls (reasoning_content), which DeepSeek’s thinking mode requires.',
    }),
    MODEL_FALLBACK_BASE_URL: httpUrl({
      default: undefined,
      desc: 'Endpoint of the fallback model; absent: that of MODEL_BASE_URL.',
    }),
    MODEL_FALLBACK_API_KEY: secret({
      default: undefined,
      desc: 'Key of the fallback endpoint; without MODEL_FALLBACK_BASE_URL absent means MODEL_API_KEY.',
    }),
    MODEL_FALLBACK_NAME: str({
      default: undefined,
      desc: 'Model that takes over for the rest of a run once the tries of the first are used up or it refuses.',
    }),
    MEMORY_CONTEXT_MAX_FACTS: integer(
      0,
      100,
    )({
      default: 12,
      desc: 'Facts remembered about the person that a run begins with, at most; 0 is none.',
    }),
    MEMORY_CONTEXT_MAX_CHARACTERS: integer(
      0,
      20_000,
    )({
      default: 2_000,
      desc: 'Characters that those facts may take in the system message, at most.',
    }),
    MODEL_INPUT: listOf(['text', 'image', 'file'])({
      default: ['text', 'image'],
      desc: 'What the model takes: text; image for pictures that people attach; file for PDF. What it does not take is named to it in words.',
    }),
    MODEL_REASONING: str({
      choices: ['show', 'hide'],
      default: 'show',
      desc: 'show: what a model says it thinks is streamed, kept in history and exported, without credentials. hide: it is dropped. Only MODEL_RETURN_REASONING shows it to the model again.',
    }),
    SKILLS_DIR: str({ default: 'skills', desc: 'Folder of skill documents: NAME/SKILL.md.' }),
    ENABLED_SKILLS: list({
      default: ['*'],
      desc: 'Skills that models see; * is all. Grants nothing.',
    }),
  },
  secrets: ['MODEL_API_KEY', 'MODEL_FALLBACK_API_KEY'],
});
