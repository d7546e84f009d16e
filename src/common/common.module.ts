import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';

/** What every module may use without saying so: the clock. */
@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class CommonModule {}
