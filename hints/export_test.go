package hints

var ValidZone, ValidNode = validZone, validNode
