const DIGITS = '零一二三四五六七八九';

/** One or two digits, or a Chinese numeral up to 99. */
export const ZH_NUMBER = '(?:\\d{1,3}(?!\\d)|[零〇一二两三四五六七八九十]{1,3})';

/** Value of a decimal or Chinese numeral (`12`, `十二`, `二十三`, `两`, `零五`); NaN otherwise. */
export function zhNumber(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const plain = text.replaceAll('两', '二').replaceAll('〇', '零');
  const tens = /^([一二三四五六七八九]?)十([一二三四五六七八九]?)$/.exec(plain);
  if (tens) {
    const [, ten = '', one = ''] = tens;
    return (ten === '' ? 1 : DIGITS.indexOf(ten)) * 10 + (one === '' ? 0 : DIGITS.indexOf(one));
  }
  if (/^零?[零一二三四五六七八九]$/.test(plain)) return DIGITS.indexOf(plain.slice(-1));
  return Number.NaN;
}
