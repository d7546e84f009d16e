/** Whitelist profile under which automation acts. */
export const AUTOMATION_PROFILE = 'automation';
/** Who acts in the runs of automation, as their credentials say it. */
export const AUTOMATION_ACTOR = 'automation';
