/** What errors of a database mean: messages for the rules of its driver. */
export const databaseErrors = {
  refusedUser:
    'The database does not accept the user and password from this address: enter the credentials of the connection again.',
  noDatabase:
    'There is no database{name} at {endpoint} that the user may use: create it, or grant the user privileges on it.',
  refusedValue:
    'The table cannot store a value of the exported rows: change the type of its column, or remove the constraint.',
  brokenConstraint:
    "A constraint of the table refuses a row: remove the constraint, or change the destination's table.",
  otherTable: "The table does not fit the exported rows: change the destination's table.",
  full: 'The disk of the database is full: free some space there.',
  manyConnections: 'The database has too many connections at the moment.',
  locked: 'Another session holds the table at the moment.',
  lost: 'The connection to {endpoint} was lost: check that the database is running.',
  withoutTls:
    'The database at {endpoint} does not support TLS: turn it on there. Only a database on this machine may do without.',
  insecure:
    "No secure connection to {endpoint} could be established: check the server's certificate and the connection's root certificate.",
}
