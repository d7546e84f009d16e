/** What members say that have to do with people who are asked. */
export const INTERRUPT_WORDS: Readonly<Record<string, string>> = {
  interruptId: 'Id of the interrupt, from RUN_FINISHED or history.',
  resume: 'Answers to everything that the thread waits for.',
  interrupts: 'What the thread waits for at this moment; usually nothing.',
  resumedFrom: 'The run that waited in the thread until this one; absent for none.',
  responseSchema: 'JSON Schema of the payload that answers it.',
  'HistoryInterrupt.metadata':
    'The call (module, method, input), its inputHash, the kind, and the rule that asks.',
  'ResumeAnswer.status': '`resolved` with a payload; `cancelled` for no answer, which is a no.',
  'ResumeAnswer.payload': 'What the responseSchema of the interrupt describes.',
};
