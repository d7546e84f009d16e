import type { Turn } from './conversation.js';
import { errorCode } from './tool-step.js';

/** A message that says yes and nothing else. */
const YES =
  /^(?:(?:好的?|行|可以|嗯|是的?|对|没问题|我?(?:同意|批准|允许|确认))[，,、。.!！\s]*(?:吧|了)?)+$|^(?:(?:yes|yep|ok(?:ay)?|sure|fine|go ahead|i (?:approve|allow|agree)|approved?|allowed?|agreed?|confirm(?:ed)?|do it|please|it)[\s,.!]*)+$/iu;

/** Whether the person says yes in words to what the turn before has asked a person for. Pure. */
export function approvesInWords(order: string, before: Turn | undefined): boolean {
  const last = before?.steps.at(-1);
  if (!last) return false;
  const code = errorCode(last);
  if (code !== 'APPROVAL_DENIED' && code !== 'APPROVAL_EXPIRED') return false;
  return YES.test(order.trim());
}
