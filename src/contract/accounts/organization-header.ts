/** Header with the id of the organization that a page shows; the service refuses the request if its session works in another. */
export const organizationHeader = 'spool-organization'
