import { getCountries, isSupportedCountry, type CountryCode } from 'libphonenumber-js/min';
import type { Locale } from '../../../common/locale.js';

/** Zones by country; `timeZones` is what Node 20 calls it, `getTimeZones` what ECMAScript does. */
interface LocaleZones {
  timeZones?: string[];
  getTimeZones?: () => string[] | undefined;
}

let regions: Map<string, CountryCode> | undefined;

function regionsByZone(): Map<string, CountryCode> {
  const found = new Map<string, CountryCode>();
  for (const country of getCountries()) {
    if (!/^[A-Z]{2}$/.test(country)) continue;
    const locale: Intl.Locale & LocaleZones = new Intl.Locale(`und-${country}`);
    for (const zone of locale.getTimeZones?.() ?? locale.timeZones ?? []) {
      if (!found.has(zone)) found.set(zone, country);
    }
  }
  return found;
}

/**
 * The country whose dialling habits a person has: that of their zone, else (UTC and the like) that
 * of their language. Only numbers that are valid there become E.164, so a wrong guess is harmless.
 */
export function regionOf(timezone: string, locale: Locale): CountryCode {
  regions ??= regionsByZone();
  const region = regions.get(timezone);
  if (region && isSupportedCountry(region)) return region;
  return locale === 'zh-CN' ? 'CN' : 'US';
}
