package storetest

import (
	"pitboss/models"
)

var Keeper = models.Actor{Name: "ada"}
