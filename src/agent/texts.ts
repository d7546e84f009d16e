import type { Locale } from '../common/locale.js';

/** What the runtime itself says to people, in their language. */
const TEXTS = {
  en: {
    cutOff: 'The answer was cut off here: the model reached its length limit.',
    withheld: 'The rest of the answer was withheld by the model’s content filter.',
    noAnswer: 'The model gave no closing answer. The results above stand.',
    emptyAnswer: 'The model returned an empty answer. Please try again.',
    brokenStream: 'The model stopped in the middle of its answer. Please try again.',
    modelUnavailable: 'The model cannot be reached at the moment. Please try again later.',
    modelRefused:
      'The model’s endpoint refused the request. Please tell whoever runs this service.',
    modelBusy: 'The model is receiving too many requests. Please try again in a while.',
    modelTimeout: 'The model did not answer in time. Please try again.',
    tooManyTurns: 'The run was stopped: it did not finish within the allowed number of steps.',
    repeating: 'The run was stopped: the model kept repeating the same call.',
    repeatingText: 'The run was stopped: the model kept repeating the same text.',
    tooManyCallsInRun: 'The run was stopped: it made more calls than allowed.',
    tooManyTokens: 'The run was stopped: it used up the tokens that it was allowed.',
    messageTooLong: 'The message is too long for the model. Please send a shorter one.',
    contextTooLong:
      'The conversation is too long for the model, also when it is shortened. Please begin a new one or send a shorter message.',
    answerTooLong: 'The run was stopped: the model’s answer is longer than allowed.',
    runTimeout: 'The run was stopped: it took longer than allowed.',
    queueTimeout: 'The run waited too long for a free place. Please try again.',
    interrupted: 'The run was interrupted by a restart of the server. Please try again.',
    signInEnded: 'The run cannot go on: the sign-in that it acts under has ended.',
    internal: 'Something went wrong on our side. Please try again.',
    cancelledUntold: 'The run was cancelled. What it had come to cannot be shown completely.',
    notExecuted: 'The call was not executed: the run ended first.',
    outcomeUnknown: 'The run was interrupted; whether the call took effect is not known.',
    tooManyCalls: 'The call was not executed: too many calls in one turn.',
    callBudget: 'The call was not executed: the run has made all the calls that it may.',
    repeatedCall: 'The call was not executed: it repeats the calls before it.',
    notKept:
      'The call was not executed: it has what may not be kept, a credential or signs that cannot be stored.',
    unanswered: 'Nobody answered in time, so the run was ended.',
    approvalExpired: 'The call was not executed: nobody answered in time.',
    approvalGivenUp:
      'The call was not executed: the person did not answer, the conversation went on.',
    clientUnanswered: 'The person’s app did not answer the call in time.',
    clientGivenUp: 'The person’s app did not answer the call: the conversation went on without it.',
    clientCancelled: 'The person’s app did not answer the call: its run was ended.',
    clientFailed: 'The person’s app could not carry out the call',
    approvalCancelled:
      'The call was not executed: the run that waited for an answer was cancelled.',
  },
  'zh-CN': {
    cutOff: '回答在此被截断：已达到模型的长度上限。',
    withheld: '其余回答已被模型的内容过滤器拦截。',
    noAnswer: '模型没有给出最后的回答，以上结果仍然有效。',
    emptyAnswer: '模型返回了空白回答，请重试。',
    brokenStream: '模型的回答中途中断，请重试。',
    modelUnavailable: '暂时无法连接模型，请稍后重试。',
    modelRefused: '模型服务拒绝了请求，请联系本服务的管理员。',
    modelBusy: '模型请求过多，请稍后重试。',
    modelTimeout: '模型未在规定时间内回答，请重试。',
    tooManyTurns: '运行已停止：未能在允许的步数内完成。',
    repeating: '运行已停止：模型一直重复同一个调用。',
    repeatingText: '运行已停止：模型一直重复同样的文字。',
    tooManyCallsInRun: '运行已停止：调用次数超过了允许的上限。',
    tooManyTokens: '运行已停止：已用完允许的 token 数量。',
    messageTooLong: '消息超过了模型可接受的长度，请缩短后重试。',
    contextTooLong: '对话超过了模型可接受的长度，缩短后仍然过长。请开始新的对话或发送更短的消息。',
    answerTooLong: '运行已停止：模型的回答超过了允许的长度。',
    runTimeout: '运行已停止：超过了允许的时长。',
    queueTimeout: '等待空闲位置的时间过长，请重试。',
    interrupted: '运行因服务器重启而中断，请重试。',
    signInEnded: '运行无法继续：它所依据的登录已结束。',
    internal: '服务内部出错，请重试。',
    cancelledUntold: '运行已取消，其进展无法完整显示。',
    notExecuted: '调用未执行：运行已先结束。',
    outcomeUnknown: '运行被中断，无法确定该调用是否已生效。',
    tooManyCalls: '调用未执行：一轮中的调用过多。',
    callBudget: '调用未执行：本次运行的调用次数已用完。',
    repeatedCall: '调用未执行：与之前的调用重复。',
    notKept: '调用未执行：其中含有不能保存的内容（凭证或无法存储的字符）。',
    unanswered: '未在规定时间内得到答复，运行已结束。',
    approvalExpired: '调用未执行：未在规定时间内得到答复。',
    approvalGivenUp: '调用未执行：用户没有答复，对话已继续。',
    clientUnanswered: '用户的应用未在规定时间内给出该调用的结果。',
    clientGivenUp: '用户的应用没有给出该调用的结果，对话已继续。',
    clientCancelled: '用户的应用没有给出该调用的结果：运行已结束。',
    clientFailed: '用户的应用无法执行该调用',
    approvalCancelled: '调用未执行：等待答复的运行已被取消。',
  },
} as const satisfies Record<Locale, Record<string, string>>;

export type TextKey = keyof (typeof TEXTS)['en'];

/** The sentence in the person's language. */
export function text(key: TextKey, locale: Locale): string {
  return TEXTS[locale][key];
}
