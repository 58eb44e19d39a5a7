import { RecordedAssets } from '../../contract/recordings/recorded-asset.ts'
import { EventType, NodeType } from '../../replay/recorded/rrweb.ts'
import type { RecordingRow } from '../store/recordings/session-recordings.ts'
import { png, startAssetServer, type TestAssetServer } from './servers/test-asset-server.ts'
import { insertBlock } from './test-recordings.ts'
import { bodyOf, createTestService, type TestService } from './test-service.ts'
import { assetFolder } from '../recordings/assets/asset-key.ts'
import { removeOrphanedAssets } from '../recordings/assets/delete-assets.ts'
import { openAssetSearch, type AssetSearch } from '../recordings/assets/search-assets.ts'
import { openVault } from '../recordings/assets/vault.ts'

export let service: TestService
export let server: TestAssetServer
export let search: AssetSearch

export async function openTestVault(): Promise<void> {
  service = await createTestService({ config: { recordingRetentionDays: 10 } })
  search = openAssetSearch(service.services)
}

export async function closeTestVault(): Promise<void> {
  await search.stop()
  await service.stop()
}

/** Removes all recordings, and starts the server of their files; returns what stops it. */
export async function resetTestVault(): Promise<() => void> {
  const { store } = service.services
  await store.deleteFrom('session_recordings').execute()
  await removeOrphanedAssets(service.services)
  await store.deleteFrom('recording_settings').execute()
  await store.deleteFrom('asset_fetch_counts').execute()
  server = await startAssetServer()
  server.answer('/a.png', png)
  return () => server.stop()
}

export const never = new AbortController().signal

/** Adds a block whose page shows these images. */
export async function show(recording: RecordingRow, number: number, ...sources: string[]): Promise<void> {
  const images = sources.map((src) => ({
    type: NodeType.Element,
    tagName: 'img',
    attributes: { src },
    childNodes: [],
  }))
  await showNodes(recording, number, images)
}

export async function showNodes(recording: RecordingRow, number: number, childNodes: object[]) {
  const timestamp = service.clock.now()
  const node = { type: NodeType.Document, childNodes }
  await insertBlock(service, recording, number, [
    ['w', { type: EventType.Meta, timestamp, data: { href: `${server.origin}/shop/` } }],
    ['w', { type: EventType.FullSnapshot, timestamp, data: { node } }],
  ])
}

/** Searches all recordings and fetches all files, as the background work does. */
export async function work(options: VaultOptions = {}): Promise<number> {
  await searchAll()
  return await vault(options).fetchWaiting(never)
}

export async function searchAll(): Promise<void> {
  while ((await search.run()) > 0);
}

/** Time limits (ms) so long that a slow machine makes no file unavailable. */
export const times = { silence: 60_000, total: 60_000 }

type VaultOptions = Parameters<typeof openVault>[1]

export function vault(options: VaultOptions = {}) {
  return openVault(service.services, { policy: server.policy, times, ...options })
}

export async function list({ project_id, session_id }: RecordingRow): Promise<RecordedAssets> {
  const path = `/api/projects/${project_id}/session_recordings/${session_id}/assets/`
  return bodyOf(RecordedAssets, await service.request('GET', path))
}

/** Returns the outcome of each file: its content, its reason, or "pending". */
export async function outcomes(recording: RecordingRow): Promise<Record<string, string>> {
  const { results, pending } = await list(recording)
  const entries = results.map(async ({ url, path, reason }) => {
    const content =
      path === null ? reason : (await service.server.inject({ url: path })).rawPayload.toString('latin1')
    return [url.replace(server.origin, ''), content ?? ''] as const
  })
  return {
    ...Object.fromEntries(await Promise.all(entries)),
    ...(pending > 0 && { pending: String(pending) }),
  }
}

export const objectsOf = ({ project_id }: RecordingRow) =>
  service.services.objects.list(assetFolder(project_id))

export const pathsOf = () => server.requests.map(({ path }) => path)
