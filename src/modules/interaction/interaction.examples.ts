import type { CapabilityExample } from '../../tool-router/public.js';

export const EXAMPLES: CapabilityExample[] = [
  {
    title: 'A choice',
    input: { question: 'Which Amy do you mean?', kind: 'choice', options: ['Amy Li', 'Amy Wang'] },
  },
  {
    title: 'A form',
    input: {
      question: 'When and where is the dinner?',
      kind: 'form',
      fields: [
        { name: 'on_date', label: 'Day', type: 'date' },
        { name: 'place', label: 'Place', type: 'string', required: false },
      ],
    },
  },
  { title: 'Free text', input: { question: 'What shall the invitation say?', kind: 'text' } },
];
