import { linksMax, type CollectionLink } from '../../../contract/recordings/sharing.ts'
import { pageOfList } from '../../http/page-links.ts'
import { conflict, notFound } from '../../problems/api-error.ts'
import { readSettings, revokedAt, showSettings } from '../../recordings/sharing/link-settings.ts'
import { newLink } from '../../recordings/sharing/sharing-token.ts'
import type { Services } from '../../services.ts'
import {
  deleteLink,
  insertLink,
  listLinks,
  updateLink,
  type SharingRow,
} from '../../store/recordings/recording-sharing.ts'
import type { Handler } from '../handler.ts'

export const listCollectionLinks: Handler<'listCollectionLinks'> = async (request) => {
  const { services, recordingCollection } = request
  const rows = await listLinks(services.store, { collection_id: recordingCollection.id })
  return pageOfList(rows, request, (row) => showLink(services, row))
}

export const createCollectionLink: Handler<'createCollectionLink'> = async (request) => {
  const { services, recordingCollection, body } = request
  const { label = '', names = false, enabled = true, shows = 'picture' } = body
  const row = await insertLink(
    services.store,
    { collection_id: recordingCollection.id },
    { ...newLink(services), ...(await readSettings(services, { ...body, shows })), enabled, label, names },
    linksMax,
  )
  if (row === undefined) throw notFound()
  if (row === null) throw conflict(`The collection has ${linksMax} links. Delete one first.`)
  return showLink(services, row)
}

export const updateCollectionLink: Handler<'updateCollectionLink'> = async (request) => {
  const { services, collectionLink, body } = request
  const { label, names, enabled } = body
  const row = await updateLink(services.store, collectionLink.id, {
    ...(await readSettings(services, body)),
    ...(enabled !== undefined && { enabled, revoked_at: revokedAt(services, collectionLink, enabled) }),
    ...(label !== undefined && { label }),
    ...(names !== undefined && { names }),
  })
  if (!row) throw notFound()
  return showLink(services, row)
}

export const deleteCollectionLink: Handler<'deleteCollectionLink'> = async ({ services, collectionLink }) => {
  await deleteLink(services.store, collectionLink.id)
  return null
}

function showLink(services: Services, link: SharingRow): CollectionLink {
  const { id, label, names } = link
  return { id, ...showSettings(services, link), label, names }
}
