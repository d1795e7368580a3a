// The partners as the host gave them last, what the next turn of the one in sight would offer, and what a person does to
// them. Read when the screen is first shown, and again whenever the host says that something has changed.

import { signal, type Signal } from "@preact/signals";
import { problemOf, type Problem } from "../bridge/problem";
import type { GrantScope, Partner, PartnerPreview } from "../generated/types";
import { bridge, watchHost } from "./bridge";
import { coalesced } from "./coalesced";

/** A reading that fails keeps what was there and adds the problem. */
interface Read<T> {
  value?: T;
  problem?: Problem;
}

export const partnersRead = signal<Read<readonly Partner[]>>({});
export const partnerSearch = signal("");

const previews = new Map<string, Signal<Read<PartnerPreview>>>();
const shown = new Map<string, () => Promise<void>>();

export function partnerById(id: string): Partner | undefined {
  return partnersRead.value.value?.find((partner) => partner.id === id);
}

/** What the next turn of the partner would offer. */
export function previewOf(id: string): Signal<Read<PartnerPreview>> {
  let preview = previews.get(id);
  if (!preview) {
    preview = signal({});
    previews.set(id, preview);
  }
  return preview;
}

async function read<T>(into: Signal<Read<T>>, ask: () => Promise<T>): Promise<void> {
  try {
    into.value = { value: await ask() };
  } catch (error) {
    const { value } = into.peek();
    into.value = { ...(value !== undefined && { value }), problem: problemOf(error) };
  }
}

export const loadPartners = coalesced(() =>
  read(partnersRead, async () => (await bridge.request("partners.list", {})).partners),
);

/** Reads what the next turn would offer, now and after every change, until it is not shown any more. */
export function showPreview(id: string): () => void {
  const load = coalesced(() => read(previewOf(id), () => bridge.request("partners.preview", { partnerId: id })));
  shown.set(id, load);
  void load();
  return () => {
    if (shown.get(id) === load) shown.delete(id);
  };
}

const PAUSE_MS = 150;
let soon: ReturnType<typeof setTimeout> | undefined;

// What is offered depends on servers, their tools and decisions as much as on the partner. Many changes make one reading.
watchHost(() => {
  if (!partnersRead.peek().value && !partnersRead.peek().problem) return;
  clearTimeout(soon);
  soon = setTimeout(reread, PAUSE_MS);
});

function reread(): void {
  void loadPartners();
  for (const load of shown.values()) void load();
}

/** After a failure: reconnects at once where that is what is missing. */
export function retryPartners(): void {
  bridge.retryNow();
  reread();
}

/** Puts a partner as the host answered it in the place of the one before; the rest of the list is read again. */
async function changed(answer: Promise<Partner>): Promise<Partner> {
  const partner = await answer;
  const { value } = partnersRead.peek();
  if (value) partnersRead.value = { value: value.map((one) => (one.id === partner.id ? partner : one)) };
  reread();
  return partner;
}

export async function createPartner(name: string): Promise<Partner> {
  const partner = await bridge.request("partners.create", { name });
  await loadPartners();
  return partner;
}

export const renamePartner = (partnerId: string, name: string): Promise<Partner> =>
  changed(bridge.request("partners.rename", { partnerId, name }));

export const enablePartner = (partnerId: string, enabled: boolean): Promise<Partner> =>
  changed(bridge.request("partners.setEnabled", { partnerId, enabled }));

export const grantServer = (partnerId: string, serverId: string, scope: GrantScope): Promise<Partner> =>
  changed(bridge.request("partners.grant", { partnerId, serverId, scope }));

export const revokeServer = (partnerId: string, serverId: string): Promise<Partner> =>
  changed(bridge.request("partners.revoke", { partnerId, serverId }));

export async function removePartner(partnerId: string): Promise<void> {
  await bridge.request("partners.remove", { partnerId });
  previews.delete(partnerId);
  await loadPartners();
}
