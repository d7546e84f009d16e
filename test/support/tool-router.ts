import { randomUUID } from 'node:crypto';
import type { DynamicModule, Type } from '@nestjs/common';
import { RunFactsModule } from '../../src/agent/runs/run-facts.module.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import type { Principal } from '../../src/auth/principal.js';
import { Registration } from '../../src/auth/registration.js';
import { CredentialModule } from '../../src/credential/credential.module.js';
import { CredentialService } from '../../src/credential/credential.service.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { SkillsModule } from '../../src/skills/skills.module.js';
import type { ToolAgentOutput } from '../../src/tool-output/tool-agent-output.js';
import { ToolGateway, type GatewayRequest } from '../../src/tool-router/tool-gateway.js';
import { ToolRouterModule } from '../../src/tool-router/tool-router.module.js';
import { WhitelistModule } from '../../src/whitelist/whitelist.module.js';
import { WhitelistService } from '../../src/whitelist/whitelist.service.js';
import { startTestApp, type TestApp } from './test-app.js';

export interface TestRouter extends TestApp {
  gateway: ToolGateway;
  whitelist: WhitelistService;
  uow: UnitOfWork;
  principal: Principal;
  /** A controlled credential of the user; all methods unless a scope is given. */
  credential(options?: {
    scope?: string[];
    profile?: string;
    runId?: string;
    actor?: string;
    enabledSkills?: string[];
  }): Promise<string>;
  /** One call by the user, with a credential for everything unless one is given. */
  call(
    module: string,
    method: string,
    input?: unknown,
    options?: Partial<GatewayRequest> & { signal?: AbortSignal },
  ): Promise<ToolAgentOutput>;
}

/** The router with some modules, a signed-up admin, and a whitelist that allows everything. */
export async function startTestRouter(
  modules: (Type<unknown> | DynamicModule)[],
  env: Record<string, string> = {},
): Promise<TestRouter> {
  const test = await startTestApp({
    modules: [
      AuthModule,
      CredentialModule,
      WhitelistModule,
      SkillsModule,
      RunFactsModule,
      ToolRouterModule,
      ...modules,
    ],
    env,
  });
  const gateway = test.app.get(ToolGateway);
  const whitelist = test.app.get(WhitelistService);
  const credentials = test.app.get(CredentialService);
  const user = await test.app.get(Registration).register({
    email: `admin-${randomUUID()}@example.com`,
    password: 'correct horse battery',
    timezone: 'Asia/Shanghai',
    locale: 'zh-CN',
  });
  const principal: Principal = {
    userId: user.id,
    email: user.email,
    displayName: user.displayName,
    roles: [user.role],
    timezone: user.timezone,
    locale: user.locale,
    sessionId: null,
    token: { issuer: 'test', jti: 'test', expiresAt: new Date(Date.now() + 3_600_000) },
  };
  const { version } = await whitelist.current();
  await whitelist.replace({ profiles: { chat: { allow: ['*'] } } }, version, user.id);

  const credential: TestRouter['credential'] = async ({ scope = ['*'], ...rest } = {}) =>
    (await credentials.exchange(principal, { scope, ...rest })).credential;
  const everything = await credential();
  return {
    ...test,
    gateway,
    whitelist,
    uow: test.app.get(UnitOfWork, { strict: false }),
    principal,
    credential,
    call: (module, method, input, { signal, ...request } = {}) =>
      gateway.invoke(
        {
          credential: everything,
          call: { module, method, ...(input === undefined ? {} : { input }) },
          door: 'http',
          ...request,
        },
        signal ?? new AbortController().signal,
      ),
  };
}
