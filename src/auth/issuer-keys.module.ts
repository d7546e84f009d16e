import { Module } from '@nestjs/common';
import { APP_CONFIG } from '../config/app-config.js';
import { DerivedKeys } from './derived-keys.js';
import { SIGNING_KEY, loadSigningKey } from './signing-key.js';

/** The issuer's key and what is derived from it; apart, because the audit is below the accounts. */
@Module({
  providers: [
    { provide: SIGNING_KEY, inject: [APP_CONFIG], useFactory: loadSigningKey },
    DerivedKeys,
  ],
  exports: [SIGNING_KEY, DerivedKeys],
})
export class IssuerKeysModule {}
