/** What a call asks its person, by itself. */
export interface PendingInterrupt {
  id: string;
  kind: 'approval' | 'question';
  status: 'pending' | 'approved' | 'denied' | 'answered' | 'declined' | 'cancelled' | 'expired';
  threadId: string | null;
  /** Null for a call outside of runs. */
  runId: string | null;
  toolCallId: string;
  module: string;
  method: string;
  input: Record<string, unknown>;
  /** What the person is asked, in their language. */
  message: string;
  /** JSON Schema of the answer's `payload`. */
  responseSchema: Record<string, unknown>;
  createdAt: string;
  /** ISO 8601; later answers are refused. */
  expiresAt: string;
}

/** A method that the person has allowed once and for all, in one profile of the whitelist. */
export interface ApprovalRule {
  id: string;
  profile: string;
  module: string;
  method: string;
  /** The rule that asked; another rule asks again. */
  rule: string;
  createdAt: string;
}
