/**
 * The form in which an address is stored and looked up: trimmed, one Unicode form, lower case in
 * both parts. RFC 5321 lets a host tell local parts apart by case; nobody does, and two accounts
 * that differ by case would be mistaken for each other.
 */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
