/** How much a question may be; it is shown to a person as a whole. */
export const QUESTION_MAX = 500;
export const OPTIONS_MIN = 2;
export const OPTIONS_MAX = 20;
export const OPTION_MAX = 100;
export const FIELDS_MAX = 20;
export const LABEL_MAX = 100;
export const TEXT_ANSWER_MAX = 4000;
export const FIELD_ANSWER_MAX = 2000;
