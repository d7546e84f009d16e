import { Module } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { DerivedKeys } from './derived-keys.js';
import { IssuerKeys } from './issuer-keys.js';
import { loadKeyRing } from './key-ring.js';
import { SIGNING_KEY, type SigningKey } from './signing-key.js';

/** The issuer's keys and what is derived from them; apart, because the audit is below the accounts. */
@Module({
  providers: [
    {
      provide: IssuerKeys,
      inject: [APP_CONFIG, Clock],
      useFactory: async (config: AppConfig, clock: Clock) =>
        new IssuerKeys(config, await loadKeyRing(config), clock),
    },
    { provide: SIGNING_KEY, inject: [IssuerKeys], useFactory: currentKey },
    DerivedKeys,
  ],
  exports: [IssuerKeys, SIGNING_KEY, DerivedKeys],
})
export class IssuerKeysModule {}

/** A view of the key that signs now, whichever that is when it is looked at. */
function currentKey(keys: IssuerKeys): SigningKey {
  return {
    get kid() {
      return keys.current.kid;
    },
    get privateKey() {
      return keys.current.privateKey;
    },
    get publicKey() {
      return keys.current.publicKey;
    },
  };
}
