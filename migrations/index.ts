import { Auth1796000000001 } from './1796000000001-auth.js';
import { Credential1796000000002 } from './1796000000002-credential.js';
import { Whitelist1796000000003 } from './1796000000003-whitelist.js';
import { ToolCalls1796000000004 } from './1796000000004-tool-calls.js';
import { Conversations1796000000005 } from './1796000000005-conversations.js';
import { Events1796000000006 } from './1796000000006-events.js';
import { Calendar1796000000007 } from './1796000000007-calendar.js';
import { CalendarSeries1796000000008 } from './1796000000008-calendar-series.js';
import { Contacts1796000000009 } from './1796000000009-contacts.js';
import { Memory1796000000010 } from './1796000000010-memory.js';
import { CalendarFeeds1796000000011 } from './1796000000011-calendar-feeds.js';
import { ThreadDeletion1796000000012 } from './1796000000012-thread-deletion.js';
import { RunIdsOfAUser1796000000013 } from './1796000000013-run-ids-of-a-user.js';
import { MemoryPages1796000000014 } from './1796000000014-memory-pages.js';
import { CalendarPreserved1796000000015 } from './1796000000015-calendar-preserved.js';
import { ToolOutputTiers1796000000016 } from './1796000000016-tool-output-tiers.js';
import { RunContextAndAttachments1796000000017 } from './1796000000017-run-context-and-attachments.js';
import { AccountDeletion1796000000018 } from './1796000000018-account-deletion.js';
import { ResultEvents1796000000019 } from './1796000000019-result-events.js';
import { AdminSettings1796000000020 } from './1796000000020-admin-settings.js';
import { Interrupts1796000000021 } from './1796000000021-interrupts.js';
import { WaitingRuns1796000000022 } from './1796000000022-waiting-runs.js';
import { Sessions1796000000023 } from './1796000000023-sessions.js';
import { TicketsAndKeys1796000000024 } from './1796000000024-tickets-and-keys.js';
import { Audit1796000000025 } from './1796000000025-audit.js';
import { Automation1796000000026 } from './1796000000026-automation.js';
import { ApprovalRuleAsked1796000000027 } from './1796000000027-approval-rule-asked.js';
import { RunQueue1796000000028 } from './1796000000028-run-queue.js';
import { CredentialSkills1796000000030 } from './1796000000030-credential-skills.js';
import { RunProgress1796000000031 } from './1796000000031-run-progress.js';
import { ReasoningMessages1796000000032 } from './1796000000032-reasoning-messages.js';
import { ClientTools1796000000033 } from './1796000000033-client-tools.js';
import { RunHandOver1796000000034 } from './1796000000034-run-hand-over.js';
import { RunSpending1796000000035 } from './1796000000035-run-spending.js';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  Auth1796000000001,
  Credential1796000000002,
  Whitelist1796000000003,
  ToolCalls1796000000004,
  Conversations1796000000005,
  Events1796000000006,
  Calendar1796000000007,
  CalendarSeries1796000000008,
  Contacts1796000000009,
  Memory1796000000010,
  CalendarFeeds1796000000011,
  ThreadDeletion1796000000012,
  RunIdsOfAUser1796000000013,
  MemoryPages1796000000014,
  CalendarPreserved1796000000015,
  ToolOutputTiers1796000000016,
  RunContextAndAttachments1796000000017,
  AccountDeletion1796000000018,
  ResultEvents1796000000019,
  AdminSettings1796000000020,
  Interrupts1796000000021,
  WaitingRuns1796000000022,
  Sessions1796000000023,
  TicketsAndKeys1796000000024,
  Audit1796000000025,
  Automation1796000000026,
  ApprovalRuleAsked1796000000027,
  RunQueue1796000000028,
  CredentialSkills1796000000030,
  RunProgress1796000000031,
  ReasoningMessages1796000000032,
  ClientTools1796000000033,
  RunHandOver1796000000034,
  RunSpending1796000000035,
];
