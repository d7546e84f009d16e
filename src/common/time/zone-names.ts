import { distance } from 'fastest-levenshtein';
import { findIana } from 'windows-iana';

/** Names that people use for places whose zone has another city's name. */
const OTHER_NAMES: Record<string, string> = {
  beijing: 'Asia/Shanghai',
  peking: 'Asia/Shanghai',
  shenzhen: 'Asia/Shanghai',
  北京: 'Asia/Shanghai',
  上海: 'Asia/Shanghai',
  中国: 'Asia/Shanghai',
  香港: 'Asia/Hong_Kong',
  台北: 'Asia/Taipei',
  东京: 'Asia/Tokyo',
  新加坡: 'Asia/Singapore',
  伦敦: 'Europe/London',
  柏林: 'Europe/Berlin',
  纽约: 'America/New_York',
  china: 'Asia/Shanghai',
  cst: 'Asia/Shanghai',
  japan: 'Asia/Tokyo',
  munich: 'Europe/Berlin',
  frankfurt: 'Europe/Berlin',
  germany: 'Europe/Berlin',
  'san francisco': 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  boston: 'America/New_York',
  edt: 'America/New_York',
  mumbai: 'Asia/Kolkata',
  delhi: 'Asia/Kolkata',
  india: 'Asia/Kolkata',
};

/** The zone that a Windows name such as `China Standard Time` stands for. */
export function windowsZone(name: string): string | null {
  const [zone] = findIana(name.trim());
  return zone ?? null;
}

/** The zone that somebody who wrote `name` most likely meant; null when nothing is near. */
export function nearestZone(name: string): string | null {
  const wanted = name.trim().toLowerCase().replace(/_/g, ' ');
  const known = OTHER_NAMES[wanted];
  if (known !== undefined) return known;
  if (wanted.length < 3 || wanted.length > 64) return null;
  let best: { zone: string; away: number } | null = null;
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const full = zone.toLowerCase().replace(/_/g, ' ');
    const city = full.slice(full.lastIndexOf('/') + 1);
    const cityWanted = wanted.slice(wanted.lastIndexOf('/') + 1);
    const away = Math.min(distance(wanted, full), distance(cityWanted, city) + (wanted === cityWanted ? 0 : 1)); // prettier-ignore
    if (best === null || away < best.away) best = { zone, away };
  }
  return best !== null && best.away <= Math.max(1, Math.floor(wanted.length / 4))
    ? best.zone
    : null;
}
