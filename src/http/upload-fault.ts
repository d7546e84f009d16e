import type { HttpException } from '@nestjs/common';

/** What multer says in `code`, in words for the caller. */
const FAULTS: Record<string, string> = {
  LIMIT_FILE_SIZE: 'The file is larger than this server accepts.',
  LIMIT_FILE_COUNT: 'There is more than one file in the body.',
  LIMIT_PART_COUNT: 'There is more than one part in the body: send the file alone.',
  LIMIT_FIELD_COUNT: 'There is a part without a file name in the body: send the file alone.',
  LIMIT_UNEXPECTED_FILE: 'There is a file under another name than `file`, or more than one.',
  MISSING_FIELD_NAME: 'There is a part without a name in the body: the file is named `file`.',
};

/**
 * Why an upload was refused before it reached us: our own words, as the parser's may quote the body.
 * @returns null for what has to do with no upload.
 */
export function uploadFault({ cause, message }: HttpException): string | null {
  const code: unknown = typeof cause === 'object' && cause ? Reflect.get(cause, 'code') : undefined;
  const known = typeof code === 'string' && Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
  if (known !== undefined) return known;
  if (message === 'Unsupported content type') return 'The body must be multipart/form-data.';
  return message.startsWith('Multipart: ') ? 'The body is not whole multipart/form-data.' : null;
}
