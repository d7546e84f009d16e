const ZH = /^(?![^定]*(?:日程|会议|讨论|关于))[^：:「"“]{0,14}(?:定时|计划|自动)任务/u;
const EN =
  /^(?![^"]*\b(?:event|meeting|about)\b)[^:"“]{0,40}\b(?:scheduled|recurring|automated) tasks?\b/iu;

/** Whether a message is about tasks that the agent does by itself at set times. Pure. */
export function isAboutScheduledTasks(order: string): boolean {
  return ZH.test(order) || EN.test(order);
}
