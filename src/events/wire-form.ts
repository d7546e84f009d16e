/** The form of an event on the wire (PROTOCOL §12); each is encoded once per event. */
export type WireForm = 'app' | 'app-v1' | 'agui' | 'agui-1.0';

/** What a client says of the form it wants. */
export interface WireRequest {
  encoding: 'app' | 'agui';
  /** The older names in the `app` encoding. */
  wire?: 'v1';
  /** `protocolVersion` of AG-UI's RunAgentInput; clients before 1.0 do not say it. */
  protocolVersion?: string;
}

/** The form that suits a client; one newer than AG-UI 1.0 gets 1.0. */
export function wireForm(request: WireRequest): WireForm {
  if (request.encoding === 'app') return request.wire === 'v1' ? 'app-v1' : 'app';
  return /^[1-9]\d*\.\d+$/.test(request.protocolVersion ?? '') ? 'agui-1.0' : 'agui';
}
