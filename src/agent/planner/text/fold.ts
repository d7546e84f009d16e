const TRADITIONAL =
  '後點個這週禮開會與約號時鐘兩幫刪請議絕間項將為給爾麼樣嗎沒讓邊裡錄繫絡記憶應變換長縮遲調動復誰發過還進選擇轉達參閱聽說話語錯誤創場際辦對論課員團題幾';
const SIMPLIFIED =
  '后点个这周礼开会与约号时钟两帮删请议绝间项将为给尔么样吗没让边里录系络记忆应变换长缩迟调动复谁发过还进选择转达参阅听说话语错误创场际办对论课员团题几';

const MAPPED = new Map(Array.from(TRADITIONAL, (char, index) => [char, SIMPLIFIED[index] ?? char]));

/**
 * The text as the rules read it: full-width ASCII and the traditional characters that occur in the
 * rules become their plain forms. Always as long as the input (in UTF-16 units), so that a span
 * found here can be cut from what the user wrote.
 */
export function fold(text: string): string {
  let folded = '';
  for (const char of text) {
    const code = char.charCodeAt(0);
    if (code >= 0xff01 && code <= 0xff5e) folded += String.fromCharCode(code - 0xfee0);
    else if (code === 0x3000 || code === 0xa0 || code === 0x09) folded += ' ';
    else if (code === 0x2019 || code === 0x2018) folded += "'";
    else folded += MAPPED.get(char) ?? char;
  }
  return folded;
}
